import { OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"
import { type Examples, withExamples } from "./DocumentExamples.ts"

/**
 * Returns the contract as OpenAPI 3.1 with its examples. The same contract and examples always result in the same text.
 * The text is stored in `openapi.json`, and the server returns that file.
 */
export const openApiText = (examples: Examples): string => {
  const spec: Record<string, unknown> = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))
  return `${JSON.stringify(withExamples(spec, examples), null, 2)}\n`
}
