import { defineConfig } from "vitest/config"

/** Packages are resolved to their sources (`development` condition), so tests need no build. */
const conditions = ["development", "leadloom:source", "node", "import", "module", "default"]
export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    globalSetup: ["packages/testkit/src/mail/Corpora.ts", "packages/testkit/src/postgres/TestPostgres.ts"],
    include: ["packages/*/test/**/*.test.ts", "examples/*/test/**/*.test.ts", ".scripts/test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000
  }
})
