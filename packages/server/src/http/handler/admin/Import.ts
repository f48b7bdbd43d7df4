import { Api } from "@leadloom/api/internal/Api"
import type * as Wire from "@leadloom/api/internal/admin/Import"
import type { Accepted } from "@leadloom/core/internal/workflow/intake/Inbound"
import { prepareEmail } from "@leadloom/core/internal/workflow/intake/IngestEmail"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import { Cause, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { decodeBase64 } from "../../json/Base64.ts"
import { answer } from "../../error/errors.ts"
import { log } from "../../../LogEvents.ts"

type Mail = typeof Wire.ImportMail.Type

const failed = (detail: string): Accepted => ({
  outcome: "failed",
  messageId: null,
  contactId: null,
  leadId: null,
  threadId: null,
  signalId: null,
  detail
})

const toJson = (name: string, accepted: Accepted): typeof Wire.ImportResult.Type => ({
  name,
  outcome: accepted.outcome,
  message_id: accepted.messageId,
  contact_id: accepted.contactId,
  lead_id: accepted.leadId,
  thread_id: accepted.threadId,
  signal_id: accepted.signalId,
  detail: accepted.detail
})

/** A mail that causes a defect must not affect the other mails of its batch. */
const recoverDefect = (name: string) => (defect: unknown) =>
  Effect.as(
    log("import.failed", { file: name }, Cause.die(defect)),
    failed("The import of this mail failed. See the server's log.")
  )

const prepare = Effect.fnUntraced(function* (tenant: Tenant, { name, raw }: Mail, historical: boolean) {
  const bytes = decodeBase64(raw)
  const recover = Effect.catchDefect(recoverDefect(name))
  const ingest =
    bytes === null
      ? Effect.succeed(failed("The field raw is not valid base64."))
      : yield* Effect.catchDefect(prepareEmail({ tenant, raw: bytes, source: "import", historical }), (defect) =>
          Effect.succeed(recoverDefect(name)(defect))
        )
  return Effect.map(recover(ingest), (accepted) => toJson(name, accepted))
})

/**
 * Stores the raw mails in any order, then ingests them in the order of the batch. Mails are processed concurrently in
 * both steps, so that they share the store's commits.
 */
const importMails = Effect.fnUntraced(function* (tenant: Tenant, mails: ReadonlyArray<Mail>, historical: boolean) {
  const atOnce = { concurrency: "unbounded" } as const
  const prepared = yield* Effect.forEach(mails, (mail) => prepare(tenant, mail, historical), atOnce)
  return yield* Effect.forEach(prepared, (ingest) => ingest, atOnce)
}, Effect.scoped)

/** Endpoints that import raw mails in batches. The results are in the order of the mails. */
export const layer = HttpApiBuilder.group(Api, "import", (handlers) =>
  handlers.handleAll({
    email: Effect.fnUntraced(function* ({ params, payload }) {
      const tenants = yield* Tenants
      const tenant = yield* answer(tenants.get(params.tenant_id))
      return { results: yield* answer(importMails(tenant, payload.mails, payload.historical)) }
    })
  })
)
