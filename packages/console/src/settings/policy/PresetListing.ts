import type { Preset } from "@leadloom/client"
import { policyText } from "../../text/Policies.ts"
import type { Action, Listing } from "../Listing.ts"

const { presets: shown } = policyText

const apply = ({ name, notes }: Preset): Action => ({
  label: shown.apply,
  message: [shown.applyNote, ...notes].join(" "),
  operation: "config.scaffold",
  fields: [{ name: "overwrite", label: shown.overwrite, options: shown.choices }],
  send: async ({ client, tenantId }, { overwrite }) => {
    await client.config.scaffold(tenantId, { preset: name, overwrite: overwrite === "yes" })
    return null
  }
})

/** The complete configurations per industry. */
export const presetListing: Listing<Preset> = {
  title: shown.title,
  empty: shown.empty,
  operation: "config.presets",
  read: async ({ client }, _, signal) => ({ rows: (await client.config.presets({ signal })).presets, next: null }),
  keyOf: ({ name }) => name,
  nameOf: ({ title }) => title,
  columns: () => [
    { header: shown.industry, cell: ({ title }) => title },
    { header: shown.description, cell: ({ description }) => description, isDetail: true },
    { header: shown.rules, cell: ({ config }) => config.rules.length, isNumeric: true, isDetail: true }
  ],
  actions: (preset) => [apply(preset)]
}
