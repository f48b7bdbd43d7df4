import { writeFile } from "node:fs/promises"
import { referencePage } from "./ReferencePage.ts"

await writeFile(new URL("../../../docs/reference/cli.md", import.meta.url), referencePage())
