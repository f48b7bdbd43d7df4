import { mkdir, writeFile } from "node:fs/promises"
import { manualPage } from "./ManualPage.ts"

const folder = new URL("../man/", import.meta.url)
await mkdir(folder, { recursive: true })
await writeFile(new URL("leadloom.1", folder), manualPage())
