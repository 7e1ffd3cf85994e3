// A boardgame.io server with one small game, in memory: in turn, each of five seats throws five
// dice and counts the successes. It prints its port when it answers.
const { Server } = require("boardgame.io/server");

const game = {
  name: "dice",
  setup: () => ({ thrown: 0, last: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    answer: ({ G, playerID, random }, intent) => {
      const faces = random.D6(5);
      G.thrown += 1;
      G.last = { by: playerID, intent, faces, successes: faces.filter((face) => face > 3).length };
    },
  },
};

const server = Server({ games: [game], origins: ["http://127.0.0.1"] });
server.run({ port: 0 }).then(({ appServer }) => console.log(appServer.address().port));
