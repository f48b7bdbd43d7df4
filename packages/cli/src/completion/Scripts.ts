/** The hidden command that prints candidates. Its arguments are the words of the command line after the program. */
export const candidatesCommand = "__complete"

/** The line that asks the shell to offer files too. */
export const filesLine = ":files"

// Bash splits `--option=value` into three words, so the function drops the equals sign.
const bash = `# bash completion for leadloom
_leadloom() {
  local word value about words=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    [[ $word == = ]] || words+=("$word")
  done
  [[ \${COMP_WORDS[COMP_CWORD]} == = ]] && words+=("")
  COMPREPLY=()
  while IFS=$'\\t' read -r value about; do
    if [[ $value == ${filesLine} ]]; then
      compopt -o default 2>/dev/null
    else
      COMPREPLY+=("$value")
    fi
  done < <(leadloom ${candidatesCommand} -- "\${words[@]}" 2>/dev/null)
}
complete -F _leadloom leadloom
`

const zsh = `#compdef leadloom
# zsh completion for leadloom
_leadloom() {
  local line files=0
  local -a candidates
  for line in "\${(@f)$(leadloom ${candidatesCommand} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == ${filesLine} ]]; then
      files=1
    elif [[ -n $line ]]; then
      candidates+=("\${\${\${line%%$'\\t'*}//:/\\\\:}}:\${line#*$'\\t'}")
    fi
  done
  (( \${#candidates} )) && _describe leadloom candidates
  (( files )) && _files
  return 0
}
if [[ $funcstack[1] == _leadloom ]]; then
  _leadloom "$@"
else
  compdef _leadloom leadloom
fi
`

const fish = `# fish completion for leadloom
function __leadloom_candidates
    set -l words (commandline -opc) (commandline -ct)
    for line in (leadloom ${candidatesCommand} -- $words[2..-1] 2>/dev/null)
        if test "$line" = ${filesLine}
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c leadloom -f -a '(__leadloom_candidates)'
`

/** The completion scripts by shell. */
export const scripts = { bash, zsh, fish } as const

/** A shell with a completion script. */
export type Shell = keyof typeof scripts
