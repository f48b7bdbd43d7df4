import { OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"

/**
 * Returns the contract as OpenAPI 3.1. The same contract always results in the same text. The text is stored in
 * `openapi.json`, and the server returns it.
 */
export const openApiText = (): string => `${JSON.stringify(OpenApi.fromApi(Api), null, 2)}\n`
