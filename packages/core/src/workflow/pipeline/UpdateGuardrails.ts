import { Effect } from "effect"
import type { ConfigIssue } from "../tenant/CheckConfig.ts"
import { changeConfig, type ConfigEdit, ConfigInvalid } from "../tenant/SaveConfig.ts"
import type { TenantConfig } from "../../domain/tenant/TenantConfig.ts"
import { type Guardrail, maxGuardrails } from "../../domain/guardrail/Guardrail.ts"

/** A change of a tenant's guardrails: either a new list, or changes of single guardrails. */
export interface GuardrailsChange {
  readonly guardrails: ReadonlyArray<Guardrail> | null
  readonly upsert: ReadonlyArray<Guardrail>
  /** The ids of guardrails, as in `enable` and `disable`. */
  readonly remove: ReadonlyArray<string>
  readonly enable: ReadonlyArray<string>
  readonly disable: ReadonlyArray<string>
}

const idLists = ["remove", "enable", "disable"] as const

const mixed: ConfigIssue = {
  path: "guardrails",
  message: "Send either the whole list `guardrails`, or single changes: upsert, remove, enable, disable."
}

const isMixed = ({ disable, enable, guardrails, remove, upsert }: GuardrailsChange): boolean =>
  guardrails !== null && [upsert, remove, enable, disable].some(({ length }) => length > 0)

/** Returns an issue for each unknown id. Otherwise a misspelt id would count as a successful change. */
const unknownIds = (before: ReadonlyArray<Guardrail>, change: GuardrailsChange): ReadonlyArray<ConfigIssue> => {
  const known = new Set([...before, ...change.upsert].map(({ id }) => id))
  return idLists.flatMap((list) =>
    change[list].flatMap((id, index) =>
      known.has(id)
        ? []
        : [{ path: `${list}.${index}`, message: `Unknown guardrail "${id}". Send the id of an existing one.` }]
    )
  )
}

/** Applies the changes in this order: upsert, enable, disable, remove. */
const applyTo = (before: ReadonlyArray<Guardrail>, change: GuardrailsChange): ReadonlyArray<Guardrail> => {
  const { disable, enable, remove, upsert } = change
  const old = new Set(before.map(({ id }) => id))
  const put = new Map(upsert.map((guardrail) => [guardrail.id, guardrail]))
  return [...before.map((guardrail) => put.get(guardrail.id) ?? guardrail), ...upsert.filter(({ id }) => !old.has(id))]
    .map((guardrail) => (enable.includes(guardrail.id) ? { ...guardrail, enabled: true } : guardrail))
    .map((guardrail) => (disable.includes(guardrail.id) ? { ...guardrail, enabled: false } : guardrail))
    .filter(({ id }) => !remove.includes(id))
}

const changed = (config: TenantConfig, change: GuardrailsChange) => {
  if (change.guardrails !== null) {
    return isMixed(change)
      ? Effect.fail(new ConfigInvalid({ issues: [mixed] }))
      : Effect.succeed({ ...config, guardrails: change.guardrails })
  }
  const issues = unknownIds(config.guardrails, change)
  const guardrails = applyTo(config.guardrails, change)
  const many = { path: "upsert", message: `Too many guardrails. A tenant can have at most ${maxGuardrails}.` }
  const wrong = guardrails.length > maxGuardrails ? [...issues, many] : issues
  return wrong.length > 0
    ? Effect.fail(new ConfigInvalid({ issues: wrong }))
    : Effect.succeed({ ...config, guardrails })
}

/** Saves a change of a tenant's guardrails as a new version of the configuration, and records its author. */
export const updateGuardrails = (
  tenantId: string,
  change: GuardrailsChange,
  edit: Pick<ConfigEdit, "changedBy" | "versions">
) => changeConfig(tenantId, ({ config }) => changed(config, change), { ...edit, action: "guardrails" })
