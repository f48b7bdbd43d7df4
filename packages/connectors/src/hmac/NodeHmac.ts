// The `Hmac` service with Node.js. The portable implementation is in core. Tests: `packages/connectors/test/hmac`.
import { createHmac, createSecretKey } from "node:crypto"
import { Hmac, type MakeMac } from "@leadloom/core/internal/port/system/Hmac"
import { Layer } from "effect"

/** Computes HMACs with Node.js. The key object is created once, because its creation takes most of the time. */
export const nodeMac: MakeMac = (key) => {
  const secret = createSecretKey(key)
  return (...parts) => {
    const mac = createHmac("sha256", secret)
    for (const part of parts) mac.update(part)
    return mac.digest()
  }
}

/** Provides `Hmac` with `nodeMac`. */
export const layer: Layer.Layer<never> = Layer.succeed(Hmac, nodeMac)
