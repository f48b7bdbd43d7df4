import { writeFile } from "node:fs/promises"
import { errorsPage } from "./ErrorsPage.ts"

await writeFile(new URL("../../../docs/reference/errors.md", import.meta.url), errorsPage())
