import { writeFile } from "node:fs/promises"
import { rulesPage } from "./RulesPage.ts"

await writeFile(new URL("../../../docs/reference/rules.md", import.meta.url), rulesPage())
