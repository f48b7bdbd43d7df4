import { writeFile } from "node:fs/promises"
import { limitsPage } from "./LimitsPage.ts"

await writeFile(new URL("../../../docs/reference/limits.md", import.meta.url), limitsPage())
