import { writeFile } from "node:fs/promises"
import { logsPage } from "./LogsPage.ts"

await writeFile(new URL("../../../docs/reference/logs.md", import.meta.url), logsPage())
