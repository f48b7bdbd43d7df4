#!/usr/bin/env node
// Unsupported versions of Node.js have to parse this file to print the error, so it uses old syntax only.
const [major, minor] = process.versions.node.split(".").map(Number)

if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `Leadloom needs Node.js 22.19 or newer; this is ${process.versions.node}. Install a newer version. In a checkout, run node_modules/.bin/leadloom.`
  )
  process.exitCode = 1
} else {
  import("../dist/main.mjs").catch(function (error) {
    const isMissing = error.code === "ERR_MODULE_NOT_FOUND" && String(error.message).includes("main.mjs")
    if (!isMissing) throw error
    console.error("Leadloom is not built yet. Run npm run setup first.")
    process.exitCode = 1
  })
}
