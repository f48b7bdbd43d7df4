const prepare = ["Install dependencies"]
const build = ["Build libraries", "Build the console", "Bundle the command line"]
const checks = ["Formatting", "Lint", "Types", "Effect diagnostics", "Lockfile", "Generated files"]

/**
 * The steps of each task, in order. `bootstrap.mjs` runs the first step, `tasks.ts` the others.
 * @type {Readonly<Record<string, ReadonlyArray<string>>>}
 */
export const plan = {
  setup: [...prepare, ...build],
  start: [...prepare, ...build],
  check: [...prepare, ...checks],
  test: [...prepare, ...build, ...checks, "Tests"],
  fix: [...prepare, "Format", "Fix lint"],
  generate: [...prepare, "Generate"],
  pack: [...prepare, ...build, "Pack"],
  bench: [...prepare],
  chaos: [...prepare]
}

/** The help text of the `npm run` tasks. */
export const usage = [
  "setup     install and build",
  "start     install, build and serve with demo data",
  "test      install, build, check and run every test",
  "check     formatting, lint, types, generated files; no tests",
  "fix       format the code and apply lint fixes",
  "generate  write the generated files",
  "pack      write the packages that npm installs to .pack",
  "bench     run benchmarks: npm run bench -- list | all | report | <name>",
  "chaos     break things on purpose: npm run chaos -- list | all | <name>"
]
