// The players of a boardgame.io server: node players.js PORT SERVER MATCHES WARM_UP SECONDS
// (SERVER is the id of its process.)
// Whoever's turn it is moves as soon as it has seen the last move. A move counts as acknowledged
// when its player gets the state that follows from it. Prints one line of JSON.
const fs = require("fs");
const { io } = require("socket.io-client");

const [port, server, matches, warmUp, seconds] = process.argv.slice(2).map(Number);
const SEATS = 5;
const waits = [];
let counts = false;
let updates = 0;

function sitDown(match, seat) {
  return new Promise((seated, failed) => {
    const socket = io(`http://127.0.0.1:${port}/dice`, { transports: ["websocket"], forceNew: true });
    let sent = null;
    const move = (state) => {
      if (state.ctx.currentPlayer !== String(seat)) return;
      sent = { state: state._stateID, at: performance.now() };
      const payload = { type: "answer", args: ["to get in unseen"], playerID: String(seat) };
      const action = { type: "MAKE_MOVE", payload };
      socket.emit("update", action, state._stateID, match, String(seat));
    };
    socket.on("connect", () => socket.emit("sync", match, String(seat), undefined, SEATS));
    socket.on("connect_error", failed);
    socket.on("sync", (_, { state }) => seated(() => move(state)));
    socket.on("update", (_, state) => {
      if (counts) updates += 1;
      if (sent !== null && state._stateID > sent.state) {
        if (counts) waits.push(performance.now() - sent.at);
        sent = null;
      }
      move(state);
    });
  });
}

// Processor seconds that a process has used so far, as the load generator of our tables reads them.
function cpuOf(id) {
  const fields = fs.readFileSync(`/proc/${id}/stat`, "ascii").split(")").pop().trim().split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const pause = (time) => new Promise((done) => setTimeout(done, time * 1000));

async function play() {
  const begins = [];
  for (let match = 0; match < matches; match += 1) {
    begins.push(await sitDown(`m${match}`, 0)); // whoever comes first founds the match
    const others = [1, 2, 3, 4].map((seat) => sitDown(`m${match}`, seat));
    begins.push(...(await Promise.all(others)));
  }
  begins.forEach((begin) => begin());
  await pause(warmUp);
  counts = true;
  const began = performance.now();
  const spent = cpuOf(server);
  const own = process.cpuUsage();
  await pause(seconds);
  counts = false;
  const serverCpu = cpuOf(server) - spent;
  const { user, system } = process.cpuUsage(own);
  const lasted = (performance.now() - began) / 1000;
  waits.sort((one, other) => one - other);
  const p99 = waits[Math.floor(waits.length * 0.99)] / 1000;
  const used = { server_cpu: serverCpu, own_cpu: (user + system) / 1e6 };
  console.log(JSON.stringify({ moves: waits.length, updates, seconds: lasted, p99, ...used }));
  process.exit(0);
}

play();
