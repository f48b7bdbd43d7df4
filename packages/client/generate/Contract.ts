import { Api } from "@leadloom/api/internal/Api"
import { Gate } from "@leadloom/api/internal/Access"
import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import type { Document, Gates } from "./Document.ts"

/** Returns the gate of every endpoint by `operationId`. The published document does not contain the gates. */
const gatesOf = (): Gates => {
  const gates: Record<string, Gates[string]> = {}
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group }) => {
      const gate = Context.getOrUndefined(endpoint.annotations, Gate)
      if (gate !== undefined) gates[`${group.identifier}.${endpoint.identifier}`] = gate
    }
  })
  return gates
}

const derive = (): Document => ({ ...JSON.parse(JSON.stringify(OpenApi.fromApi(Api))), gates: gatesOf() })

let known: Document | null = null

/**
 * Returns the contract: its published OpenAPI document and the gates of its endpoints. It is derived once, because this
 * takes a tenth of a second.
 */
export const contract = (): Document => (known ??= derive())
