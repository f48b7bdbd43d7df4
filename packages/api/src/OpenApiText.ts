import { OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"

/**
 * Returns the contract as OpenAPI 3.1. The same contract always yields the same text. `openapi.json` contains it, and
 * the server serves it.
 */
export const openApiText = (): string => `${JSON.stringify(OpenApi.fromApi(Api), null, 2)}\n`
