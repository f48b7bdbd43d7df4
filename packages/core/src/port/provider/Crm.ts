import { Context, Effect, Layer } from "effect"
import { CrmNotConfigured } from "../../domain/crm/CrmFailure.ts"
import type { CrmShape } from "../repository/crm/CrmShape.ts"

/** The CRM of the deployment, whoever speaks to it for us. Requests are made once; patience is the caller's. */
export class Crm extends Context.Service<Crm, CrmShape>()("core/port/provider/Crm") {
  /** No CRM here; `setting` is what an operator would have to set. */
  static readonly closed = (setting: string): Layer.Layer<Crm> => {
    const refusal = Effect.fail(new CrmNotConfigured({ setting }))
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
