const prepare = ["Install dependencies"]
const build = ["Build libraries", "Bundle the command line"]
const checks = ["Formatting", "Lint", "Types", "Effect diagnostics", "Lockfile", "Generated files"]

/**
 * The steps of every task, in order. The first one belongs to the bootstrap, the others to `tasks.ts`.
 * @type {Readonly<Record<string, ReadonlyArray<string>>>}
 */
export const plan = {
  setup: [...prepare, ...build],
  start: [...prepare, ...build],
  check: [...prepare, ...checks],
  test: [...prepare, ...build, ...checks, "Tests"],
  fix: [...prepare, "Format", "Fix lint"],
  generate: [...prepare, "Generate"],
  bench: [...prepare]
}

/** What `npm run` tasks do, for people. */
export const usage = [
  "setup     install and build",
  "start     install, build and serve with demo data",
  "test      install, build, check and run every test",
  "check     formatting, lint, types, generated files; no tests",
  "fix       format the code and repair what lint can repair",
  "generate  write the generated files anew",
  "bench     measure: npm run bench -- <name>"
]
