/// <reference types="node" />
import { writeFileSync } from "node:fs"
import { openApiText } from "./OpenApiText.ts"

writeFileSync(new URL("../openapi.json", import.meta.url), openApiText())
