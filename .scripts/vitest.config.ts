import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { LongestFirst } from "./sequencer.ts"

/** Packages are resolved to their sources (`development` condition), so tests need no build. */
const conditions = ["development", "leadloom:source", "node", "import", "module", "default"]
export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    globalSetup: [".scripts/setup.ts"],
    // Files share the modules of a worker, which take longer to load than most files to run: no file changes a module,
    // and whoever changes the environment or the clock puts it back.
    isolate: false,
    // One more than would do if no test ever waited: for a lease to end, a process to start, a database to answer.
    maxWorkers: Math.max(2, availableParallelism()) + 1,
    sequence: { sequencer: LongestFirst },
    // When a test counts as hanging: nothing is measured by it, and the machine may be busy with much else.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          name: "all",
          include: ["packages/*/test/**/*.test.ts", "examples/*/test/**/*.test.ts", ".scripts/test/**/*.test.ts"]
        }
      },
      {
        // The application answers the same whatever database is behind it.
        extends: true,
        test: {
          name: "postgres",
          include: ["packages/server/test/http/**/*.test.ts"],
          env: { LEADLOOM_TEST_DATABASE: "postgres" }
        }
      }
    ]
  }
})
