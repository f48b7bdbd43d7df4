import { Data, Effect } from "effect"
import { canonical, isJson } from "../../domain/text/Json.ts"
import { TenantInvalid } from "./Tenants.ts"
import { findPreset, presetNames, presets } from "../../domain/tenant/preset/Preset.ts"
import { changeConfig, type ConfigEdit } from "./SaveConfig.ts"
import type { TenantConfig } from "../../domain/tenant/TenantConfig.ts"

/** The configuration is not a preset's any more: somebody has put work into it. */
export class ConfigCustomized extends Data.TaggedError("ConfigCustomized")<{ readonly currentVersion: number }> {}

/** What stays when a preset is put in place: where the business is, and the form on its website. */
const ownOf = ({ defaultCountry, publicForm, timeZone }: TenantConfig) => ({ defaultCountry, publicForm, timeZone })

/** One text for one configuration, whatever the order of its fields. */
const textOf = (config: TenantConfig): string => {
  const value: unknown = config
  if (!isJson(value)) throw new Error("a configuration that JSON cannot say")
  return canonical(value)
}

/** Whether a configuration is one that nobody has changed, apart from what a preset leaves alone. */
const isUntouched = (config: TenantConfig): boolean =>
  presets.some((preset) => textOf({ ...preset.config, ...ownOf(config) }) === textOf(config))

/**
 * Puts a preset in place of a tenant's configuration; its time zone, country and form stay. What somebody has changed is
 * replaced only when `overwrite` says so, and is still there as a version.
 */
export const scaffoldConfig = Effect.fn("scaffoldConfig")(function* (
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
})
