import type { Guardrail, GuardrailsPatch } from "@leadloom/client"
import type { Connection } from "../../app/Connection.ts"
import { policyText } from "../../text/Policies.ts"
import { text } from "../../text/Shared.ts"
import type { Action, Listing } from "../Listing.ts"
import { optionOf } from "../Values.ts"
import { guardrailFields, guardrailOf, limitOf, newGuardrailFields } from "./GuardrailForm.ts"

const { guardrails: shown } = policyText

/** A guardrail with the number of replies that it held in the last 30 days. */
interface GuardrailRow {
  readonly guardrail: Guardrail
  readonly held: number
}

const change = async ({ client, tenantId }: Connection, patch: GuardrailsPatch): Promise<null> => {
  await client.guardrails.update(tenantId, patch)
  return null
}

const create: Action = {
  label: shown.create,
  operation: "guardrails.update",
  fields: newGuardrailFields,
  send: async (connection, values) => {
    const kind = optionOf(shown.kinds, values["kind"]) ?? "blocked_phrases"
    const { guardrails = [] } = (await connection.client.config.get(connection.tenantId)).config
    const id = values["id"] ?? ""
    // A guardrail with the same name would be replaced.
    if (guardrails.some((guardrail) => guardrail.id === id)) throw new Error(shown.exists(id))
    return change(connection, { upsert: [guardrailOf(kind, id, values)] })
  }
}

const edit = (former: Guardrail): Action => ({
  label: text.edit,
  operation: "guardrails.update",
  fields: guardrailFields(former),
  send: (connection, values) =>
    change(connection, { upsert: [Object.assign({}, former, guardrailOf(former.kind, former.id, values))] })
})

const enable = ({ id }: Guardrail): Action => ({
  label: shown.enable,
  message: shown.enableNote,
  operation: "guardrails.update",
  send: (connection) => change(connection, { enable: [id] })
})

const disable = ({ id }: Guardrail): Action => ({
  label: shown.disable,
  message: shown.disableNote,
  operation: "guardrails.update",
  send: (connection) => change(connection, { disable: [id] })
})

const remove = ({ id }: Guardrail): Action => ({
  label: text.remove,
  message: shown.disableNote,
  operation: "guardrails.update",
  send: (connection) => change(connection, { remove: [id] })
})

const outcomeOf = (guardrail: Guardrail): string =>
  shown.outcomes["outcome" in guardrail && guardrail.outcome === "block" ? "block" : "require_approval"]

/** The limits on replies of the assistant, with how often they held one. */
export const guardrailListing: Listing<GuardrailRow> = {
  title: shown.title,
  empty: shown.empty,
  operation: "guardrails.active",
  read: async ({ client, tenantId }, _, signal) => {
    const [{ config }, stats] = await Promise.all([
      client.config.get(tenantId, { signal }),
      client.guardrails.stats(tenantId, { days: 30, signal })
    ])
    const held = new Map(
      stats.guardrails.map(({ guardrail_id: id, outcomes }) => [id, outcomes.block + outcomes.require_approval])
    )
    const rows = (config.guardrails ?? []).map((guardrail) => ({ guardrail, held: held.get(guardrail.id) ?? 0 }))
    return { rows, next: null }
  },
  keyOf: ({ guardrail }) => guardrail.id,
  nameOf: ({ guardrail }) => guardrail.id,
  columns: () => [
    { header: shown.name, cell: ({ guardrail }) => guardrail.id },
    { header: shown.kind, cell: ({ guardrail }) => shown.kinds[guardrail.kind], isDetail: true },
    { header: shown.limit, cell: ({ guardrail }) => limitOf(guardrail), isDetail: true },
    { header: shown.outcome, cell: ({ guardrail }) => outcomeOf(guardrail), isDetail: true },
    { header: shown.state, cell: ({ guardrail: { enabled = true } }) => (enabled ? shown.enabled : shown.disabled) },
    { header: shown.held, cell: ({ held }) => held, isNumeric: true, isDetail: true }
  ],
  general: [create],
  actions: ({ guardrail }) => [
    edit(guardrail),
    guardrail.enabled === false ? enable(guardrail) : disable(guardrail),
    remove(guardrail)
  ]
}
