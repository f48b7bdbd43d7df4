// The door to every task. Written so that any Node.js that knows modules can read it: the version is checked first.
/** The package manager that installs the workspace, fetched by npx. */
const pnpm = "12.21.0"
const least = 16
const major = Number(process.versions.node.split(".")[0])

if (major < least) {
  console.error(
    "Node.js " + process.versions.node + " is too old to begin with: install Node.js " + least + " or newer, with npm."
  )
  process.exitCode = 1
} else {
  import("./bootstrap.mjs").then(function (bootstrap) {
    return bootstrap.run(pnpm, process.argv[2], process.argv.slice(3))
  })
}
