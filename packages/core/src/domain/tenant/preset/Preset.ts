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
  description: "Drafts for every message where a language model is connected, no rules and no guardrails.",
  notes: [],
  config: defaultConfig
}

/** Configurations to start from, in the order they are offered. A new one is a file of its own and an entry here. */
export const presets: ReadonlyArray<Scaffold> = [plain, homeServices, realEstate, dental, automotive, legal, insurance]

/** The configuration of a preset, or null when there is none of that name. */
export const findPreset = (name: string): TenantConfig | null =>
  presets.find((preset) => preset.name === name)?.config ?? null

/** The name of every preset. */
export const presetNames: ReadonlyArray<string> = presets.map(({ name }) => name)
