import { defineConfig } from "vitest/config"

/** Packages are resolved to their sources (`development` condition), so tests need no build. */
const conditions = ["development", "leadloom:source", "node", "import", "module", "default"]
export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    globalSetup: ["packages/testkit/src/mail/Corpora.ts", "packages/testkit/src/postgres/TestPostgres.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
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
          include: ["packages/server/test/http/*.test.ts"],
          env: { LEADLOOM_TEST_DATABASE: "postgres" }
        }
      }
    ]
  }
})
