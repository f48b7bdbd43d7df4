/// <reference types="node" />
import { readFileSync, writeFileSync } from "node:fs"
import { openApiText } from "./OpenApiText.ts"

const examples = JSON.parse(readFileSync(new URL("../examples.json", import.meta.url), "utf8"))
writeFileSync(new URL("../openapi.json", import.meta.url), openApiText(examples))
