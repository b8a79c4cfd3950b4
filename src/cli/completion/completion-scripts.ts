/** The shells that have a script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof SHELLS)[number]

/**
 * Each asks the program for the words at the cursor: `toolwright __complete` prints one a line, its description behind a tab, and the line
 * `:files` where the shell completes names of files. So a script never knows fewer commands than the program.
 */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  // Bash cuts words at '=' and ':' before it calls a function, and puts what it gets behind the last of them.
  bash: String.raw`# Completion of toolwright for bash. In ~/.bashrc: eval "$(toolwright completion bash)"
_toolwright() {
  local line=${'$'}{COMP_LINE:0:COMP_POINT} words current reply cut=''
  read -ra words <<< "$line"
  while [[ ${'$'}{#words[@]} -gt 0 && ${'$'}{words[0]} != "${'$'}{COMP_WORDS[0]}" ]]; do words=("${'$'}{words[@]:1}"); done
  [[ $line == *[[:space:]] ]] && words+=('')
  current=${'$'}{words[${'$'}{#words[@]}-1]}
  [[ $COMP_WORDBREAKS == *=* && $current == *=* ]] && cut=${'$'}{current%"${'$'}{current##*=}"}
  COMPREPLY=()
  while IFS= read -r reply; do
    if [[ $reply == ':files' ]]; then
      while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen -f -- "${'$'}{current#"$cut"}")
      compopt -o filenames 2> /dev/null
      return 0
    fi
    reply=${'$'}{reply%%$'\t'*}
    reply=${'$'}{reply#"$cut"}
    [[ -n $reply ]] && COMPREPLY+=("$reply")
  done < <("${'$'}{COMP_WORDS[0]}" __complete "${'$'}{words[@]:1}" 2> /dev/null)
  [[ ${'$'}{#COMPREPLY[@]} -eq 1 && ${'$'}{COMPREPLY[0]} == *= ]] && compopt -o nospace 2> /dev/null
  return 0
}
complete -F _toolwright toolwright
`,
  zsh: String.raw`#compdef toolwright
# Completion of toolwright for zsh. In ~/.zshrc, after compinit: eval "$(toolwright completion zsh)"
_toolwright() {
  local line word
  local -a answers closed open
  answers=("${'$'}{(@f)$("${'$'}{(Q)words[1]}" __complete "${'$'}{(@Q)words[2,CURRENT]}" 2> /dev/null)}")
  for line in "${'$'}{answers[@]}"; do
    [[ -z $line ]] && continue
    if [[ $line == ':files' ]]; then
      [[ $PREFIX == --*=* ]] && compset -P '*='
      _files
      continue
    fi
    word=${'$'}{${'$'}{line%%$'\t'*}//:/\\:}
    if [[ $word == *= ]]; then open+=("$word:${'$'}{line#*$'\t'}"); else closed+=("$word:${'$'}{line#*$'\t'}"); fi
  done
  (( ${'$'}{#closed} )) && _describe 'toolwright' closed
  (( ${'$'}{#open} )) && _describe 'toolwright' open -S ''
}
if [[ ${'$'}{funcstack[1]} == _toolwright ]]; then _toolwright "$@"; else compdef _toolwright toolwright; fi
`,
  fish: String.raw`# Completion of toolwright for fish. Once: toolwright completion fish > ~/.config/fish/completions/toolwright.fish
function __toolwright_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] __complete $words[2..-1] "$current" 2> /dev/null)
        if test "$line" = ':files'
            set -l before (string match -r '^--[^=]*=' -- "$current")
            __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current") | string replace -r -- '^' "$before"
        else
            echo $line
        end
    end
end
complete -c toolwright -f -a '(__toolwright_complete)'
`,
}
