import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

const prefix = "erased:"

/**
 * FROZEN. What stays of something erased, so that it is known when it comes again: its HMAC-SHA256 under the secret of
 * the deployment, in hex. Nobody without the secret can tell what it stands for, or try whether it is this or that.
 */
export const tombstone = (text: string, pepper: Uint8Array): string =>
  prefix + bytesToHex(hmac(sha256, pepper, utf8ToBytes(`leadloom/erased/1\n${text}`)))

/** Whether a key or an address is no more than what stays of one. */
export const isTombstone = (text: string): boolean => text.startsWith(prefix)
