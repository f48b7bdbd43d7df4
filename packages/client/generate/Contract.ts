import { Api } from "@leadloom/api/Api"
import { OpenApi } from "effect/http-api"
import type { Document } from "./Document.ts"

/** The contract as the OpenAPI document it is published as. */
export const contract = (): Document => JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))
