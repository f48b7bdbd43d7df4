/** The names of users by id. */
type Names = ReadonlyMap<string, string>

/** Replaces `@Name` by the mention of the user. A longer name goes first, because it may begin with a shorter one. */
export const withMentions = (body: string, names: Names): string =>
  [...names]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .reduce((text, [id, name]) => text.replaceAll(`@${name}`, `<@${id}>`), body)

/** Replaces the mentions in a stored note by the names of the users. */
export const withNames = (body: string, names: Names): string =>
  body.replaceAll(/<@(usr_\w+)>/gu, (mention, id: string) => {
    const name = names.get(id)
    return name === undefined ? mention : `@${name}`
  })
