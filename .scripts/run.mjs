// The entry point of every task. It checks the version of Node.js, so it uses only syntax that old versions parse.
/** The version of pnpm. npx downloads it. */
const pnpm = "12.21.0"
const least = 16
const major = Number(process.versions.node.split(".")[0])

if (major < least) {
  console.error("Node.js " + process.versions.node + " is too old. Install Node.js " + least + " or newer with npm.")
  process.exitCode = 1
} else {
  import("./bootstrap.mjs").then(function (bootstrap) {
    return bootstrap.run(pnpm, process.argv[2], process.argv.slice(3))
  })
}
