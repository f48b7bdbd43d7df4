import { type TurnstileConfig, defaultTurnstileUrl } from "@leadloom/connectors/internal/turnstile/Turnstile"
import { Redacted } from "effect"
import { isHttpUrl, type Variables } from "./Variables.ts"

/** Reads the Turnstile configuration for public forms; null if none is configured. */
export const readTurnstile = ({ secret, text, wrong }: Variables): TurnstileConfig | null => {
  const key = secret("LEADLOOM_TURNSTILE_SECRET")
  const url = text("LEADLOOM_TURNSTILE_URL") ?? defaultTurnstileUrl
  if (key === null) return null
  if (!isHttpUrl(url))
    return wrong("LEADLOOM_TURNSTILE_URL", `must have the form ${defaultTurnstileUrl}, not "${url}".`, null)
  return { url, secret: Redacted.make(key) }
}
