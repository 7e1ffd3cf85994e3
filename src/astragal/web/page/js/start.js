// Begins what the page names. The server sends all modules joined in place of this file.

import(`./${document.querySelector("script[data-start]").dataset.start}.js`);
