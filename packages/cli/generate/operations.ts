import { readFile, writeFile } from "node:fs/promises"
import { contract } from "../../client/generate/Contract.ts"
import { renderGroups, renderOperations } from "./Catalogue.ts"

const folder = new URL("../src/operation/generated/", import.meta.url)

// The published document also contains the texts and examples.
const published = JSON.parse(await readFile(new URL("../../api/openapi.json", import.meta.url), "utf8"))
const document = { ...published, gates: contract().gates }
await writeFile(new URL("operations.ts", folder), renderOperations(document))
await writeFile(new URL("groups.ts", folder), renderGroups(document))
