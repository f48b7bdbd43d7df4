import { Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { canonical, isJson } from "../../domain/text/Json.ts"
import { TenantInvalid } from "./Tenants.ts"
import { findPreset, presetNames, presets } from "../../domain/tenant/preset/Preset.ts"
import { changeConfig, type ConfigEdit } from "./SaveConfig.ts"
import type { TenantConfig } from "../../domain/tenant/TenantConfig.ts"
import { withSpan } from "../WithSpan.ts"

/** The configuration equals no preset, so a person has edited it. */
export class ConfigCustomized extends TaggedError("ConfigCustomized")<{ readonly currentVersion: number }> {}

/** Returns the settings that a preset does not replace: country, public form, origins of pages, and time zone. */
const ownOf = ({ defaultCountry, publicForm, sessionOrigins, timeZone }: TenantConfig) => ({
  defaultCountry,
  publicForm,
  sessionOrigins,
  timeZone
})

/** Serialises a configuration. The order of its fields does not matter. */
const textOf = (config: TenantConfig): string => {
  const value: unknown = config
  if (!isJson(value)) throw new Error("the configuration contains a value that JSON cannot represent")
  return canonical(value)
}

/** Returns whether a configuration equals a preset, apart from the settings that a preset does not replace. */
const isUntouched = (config: TenantConfig): boolean =>
  presets.some((preset) => textOf({ ...preset.config, ...ownOf(config) }) === textOf(config))

/**
 * Replaces a tenant's configuration by a preset. Time zone, country, public form and origins of pages stay. If a person
 * has edited the configuration, it is replaced only with `overwrite`. The replaced configuration stays available as an
 * earlier version.
 */
export const scaffoldConfig = Effect.fnUntraced(function* (
  tenantId: string,
  wanted: { readonly preset: string; readonly overwrite: boolean },
  edit: Pick<ConfigEdit, "changedBy" | "versions">
) {
  const preset = findPreset(wanted.preset)
  if (preset === null) {
    return yield* new TenantInvalid({ field: "preset", reason: `Known presets: ${presetNames.join(", ")}.` })
  }
  return yield* changeConfig(
    tenantId,
    ({ config, configVersion }) =>
      wanted.overwrite || isUntouched(config)
        ? Effect.succeed({ ...preset, ...ownOf(config) })
        : Effect.fail(new ConfigCustomized({ currentVersion: configVersion })),
    { ...edit, action: "scaffold", preset: wanted.preset }
  )
}, withSpan("scaffoldConfig"))
