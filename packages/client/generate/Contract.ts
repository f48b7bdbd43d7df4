import { Api } from "@leadloom/api/Api"
import { OpenApi } from "effect/http-api"
import type { Document } from "./Document.ts"

/** Returns the contract as its published OpenAPI document. */
export const contract = (): Document => JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))
