import { Data, Effect } from "effect"
import { Sources } from "../../port/repository/tenant/Sources.ts"
import { authenticateSourceKey, CredentialInvalid } from "./Authenticate.ts"
import { maySendEvent } from "../../domain/access/Permission.ts"

/** No key has been made that could open this event URL. */
export class SourceKeyMissing extends Data.TaggedError("SourceKeyMissing")<{ readonly sourceId: string }> {}

/** Tells whether a credential is the key of this source of this tenant. Other credentials are not accepted here. */
export const authenticateSource = Effect.fn("authenticateSource")(function* (
  credential: string,
  tenantId: string,
  sourceId: string
) {
  const isConfigured = yield* (yield* Sources).isConfigured(tenantId, sourceId)
  if (!isConfigured) return yield* new SourceKeyMissing({ sourceId })
  const principal = yield* authenticateSourceKey(credential)
  if (!maySendEvent(principal, tenantId, sourceId)) {
    return yield* new CredentialInvalid({ reason: `not the key of source ${sourceId}` })
  }
  return principal
})
