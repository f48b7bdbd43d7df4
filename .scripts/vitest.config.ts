import { availableParallelism } from "node:os"
import { configDefaults, defineConfig } from "vitest/config"
import { LongestFirst } from "./sequencer.ts"

/**
 * Packages resolve to their sources, so tests need no build. `import` and `require` are missing, because Node.js adds the
 * one that fits; as a condition of its own, `import` would apply to `require` too.
 */
const conditions = ["leadloom:source", "node", "module", "default"]
/** HTTP tests that would pass without a database: they test text, files, headers and the published document. */
const withoutDatabase = [
  "Base64",
  "BodyShape",
  "Console",
  "Docs",
  "Documented",
  "Download",
  "EncodedText",
  "Listener",
  "Specification",
  "access/Cors"
]

/** Tests that search the heap of their process, which takes seconds in a process with the modules of other tests. */
const heapTests = ["packages/connectors/test/egress/LeftConnections.test.ts"]

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    globalSetup: [".scripts/setup.ts"],
    // As in `packages/server/src/main.ts`: the server compiles its schemas.
    setupFiles: ["effect/schema/SchemaJITCompiler/enable"],
    // Test files share the modules of a worker, because loading modules takes longer than most files. A test file must
    // not modify modules and has to restore the environment and the clock.
    isolate: false,
    // Two workers more than cores, because tests wait for leases, processes and databases.
    maxWorkers: Math.max(2, availableParallelism()) + 2,
    sequence: { sequencer: LongestFirst },
    // Only a test that hangs reaches this limit. It does not measure speed, because the machine may be under load.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "all",
          include: ["packages/*/test/**/*.test.ts", "examples/*/test/**/*.test.ts", ".scripts/test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...heapTests]
        }
      },
      {
        extends: true,
        test: { name: "heap", include: heapTests, isolate: true }
      },
      {
        // The HTTP tests also run on Postgres, because the API behaves identically on both databases.
        extends: true,
        test: {
          name: "postgres",
          include: ["packages/server/test/http/**/*.test.ts"],
          exclude: [
            ...configDefaults.exclude,
            ...withoutDatabase.map((name) => `packages/server/test/http/${name}.test.ts`)
          ],
          env: { LEADLOOM_TEST_DATABASE: "postgres" }
        }
      }
    ]
  }
})
