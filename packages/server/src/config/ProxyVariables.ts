import { proxyMistake } from "../http/middleware/ClientAddress.ts"
import type { Variables } from "./Variables.ts"

/** Reads the proxies whose forwarding headers are trusted. The list may be empty. */
export const readTrustedProxies = ({ text, wrong }: Variables): ReadonlyArray<string> => {
  const entries = (text("LEADLOOM_TRUSTED_PROXIES") ?? "").split(",").map((entry) => entry.trim().toLowerCase())
  const given = entries.filter((entry) => entry !== "")
  for (const entry of given) {
    const mistake = proxyMistake(entry)
    if (mistake !== null) wrong("LEADLOOM_TRUSTED_PROXIES", `is wrong: ${mistake}`, null)
  }
  return given
}
