import { writeFile } from "node:fs/promises"
import { configurationPage } from "./ConfigurationPage.ts"

await writeFile(new URL("../../../docs/reference/configuration.md", import.meta.url), configurationPage())
