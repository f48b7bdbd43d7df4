import { OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"

/** The contract as OpenAPI 3.1, the same text for the same contract: what `openapi.json` holds and the server serves. */
export const openApiText = (): string => `${JSON.stringify(OpenApi.fromApi(Api), null, 2)}\n`
