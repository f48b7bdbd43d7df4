import { writeFile } from "node:fs/promises"
import { reasonsPage } from "./ReasonsPage.ts"

await writeFile(new URL("../../../docs/reference/reasons.md", import.meta.url), reasonsPage())
