import { Schema } from "effect"

/** The maximum length of a stored origin in characters. A host name has at most 253. */
export const maxOriginLength = 275

/** An origin of web pages (RFC 6454). A longer header `Origin` matches none. */
export const WebOrigin = Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxOriginLength))

/** An origin in the format of browsers: lower case, ASCII, without the default port. */
const format =
  /^(?:https:\/\/(?!.*:443$)|http:\/\/(?!.*:80$))(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[\da-f:.]+\])(?::[1-9]\d{0,4})?$/u

/** The hosts of the same computer. Nobody on the network can change a page that they serve without TLS. */
const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/u

/** Returns whether a text has the format in which browsers send the origin of a page. */
export const isOrigin = (text: string): boolean => format.test(text)

/** Returns whether an attacker on the network cannot change the pages of an origin. */
export const isSecureOrigin = (origin: string): boolean => origin.startsWith("https://") || loopback.test(origin)
