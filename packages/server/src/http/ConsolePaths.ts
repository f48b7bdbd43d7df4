import type { ServedPath } from "./middleware/Methods.ts"

/** The page that signs a person in. */
export const signInPath = "/sign-in"

/** The page to which providers send the owner of a mailbox back (`packages/console/src/app/MailboxReturn.ts`). */
export const mailboxReturnPath = "/settings/email-account"

/** The paths of pages. The console's own router chooses the page, so all of them answer the same document. */
export const pagePaths = [
  "/",
  signInPath,
  "/inbox/*",
  "/leads/*",
  "/tasks/*",
  "/contacts/*",
  "/calls/*",
  "/search/*",
  "/decisions/*",
  "/rules/*",
  "/sequences/*",
  "/reports/*",
  "/settings/*"
] as const

/** The path of a script, style sheet or image. Its name contains a hash of its content. */
export const assetPath = "/assets/:file"

/** The documents in which the console shows mails, by the images that they may load. */
export const mailFramePaths = { blocked: "/mail-frame/blocked", images: "/mail-frame/images" } as const

/** All paths of the console. They are outside the contract and need no credential. */
export const servedPaths = [...pagePaths, assetPath, ...Object.values(mailFramePaths)] as const

/** The paths as rows of the table of methods. For the router, `/inbox/*` includes `/inbox`; for the table, it does not. */
export const consolePaths: ReadonlyArray<ServedPath> = servedPaths
  .flatMap((path) => (path.endsWith("/*") ? [path, path.slice(0, -2)] : [path]))
  .map((path) => ["GET", path, "console"])
