import { Context, Effect, Layer } from "effect"
import { notConfigured } from "../../domain/provider/ProviderFailure.ts"
import type { CrmShape } from "../repository/crm/CrmShape.ts"

/** The CRM of the deployment. An adapter sends each request only once, and the callers decide about retries. */
export class Crm extends Context.Service<Crm, CrmShape>()("core/port/provider/Crm") {
  /** The layer of a server without a CRM. `setting` names the missing configuration variable. */
  static readonly closed = (setting: string): Layer.Layer<Crm> => {
    const refusal = Effect.fail(notConfigured("crm", setting))
    const refuse = () => refusal
    return Layer.succeed(Crm, {
      configured: refusal,
      authorizeUrl: refuse,
      exchangeCode: refuse,
      refresh: refuse,
      locationGrant: refuse,
      agencyLocations: refuse,
      contacts: refuse,
      allowance: () => Effect.succeed(null),
      contact: refuse,
      findContact: refuse,
      upsertContact: refuse,
      updateContact: refuse,
      addTags: refuse,
      removeTags: refuse,
      addNote: refuse,
      createTask: refuse,
      addToWorkflow: refuse,
      removeFromWorkflow: refuse
    })
  }
}
