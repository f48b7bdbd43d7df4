import { automotive } from "./Automotive.ts"
import { dental } from "./Dental.ts"
import { homeServices } from "./HomeServices.ts"
import { insurance } from "./Insurance.ts"
import { legal } from "./Legal.ts"
import { realEstate } from "./RealEstate.ts"
import type { Scaffold } from "./Scaffold.ts"
import { defaultConfig, type TenantConfig } from "../TenantConfig.ts"

const plain: Scaffold = {
  name: "default",
  title: "Without an industry",
  description: "Drafts for every message when a language model is connected. No rules, no guardrails.",
  notes: [],
  config: defaultConfig
}

/** The presets in the order of their display. A new preset needs its own file and an entry here. */
export const presets: ReadonlyArray<Scaffold> = [plain, homeServices, realEstate, dental, automotive, legal, insurance]

/** Returns the configuration of a preset, or null for an unknown name. */
export const findPreset = (name: string): TenantConfig | null =>
  presets.find((preset) => preset.name === name)?.config ?? null

export const presetNames: ReadonlyArray<string> = presets.map(({ name }) => name)
