import { readFile, writeFile } from "node:fs/promises"
import { contract } from "../../client/generate/Contract.ts"
import { renderCatalogue } from "./Catalogue.ts"

// The published document also contains the texts and examples.
const published = JSON.parse(await readFile(new URL("../../api/openapi.json", import.meta.url), "utf8"))
const text = renderCatalogue({ ...published, gates: contract().gates })
await writeFile(new URL("../src/operation/operations.ts", import.meta.url), text)
