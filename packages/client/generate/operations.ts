import { writeFile } from "node:fs/promises"
import { contract } from "./Contract.ts"
import { renderOperations } from "./Rendering.ts"

await writeFile(new URL("../src/operations.ts", import.meta.url), renderOperations(contract()))
