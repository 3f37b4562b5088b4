// What Swift can't use of <readline/readline.h> by itself: its global variables aren't safe in Swift 6's eyes.
// Before the headers, which use FILE.
#include <stdio.h>
#include <readline/readline.h>
#include <readline/history.h>

// https://tiswww.case.edu/php/chet/readline/readline.html#Readline-Variables
static inline void storescope_readline_set_getc(int (*read)(FILE *)) { rl_getc_function = read; }
static inline void storescope_readline_set_name(const char *name) { rl_readline_name = name; }
static inline void storescope_readline_set_completion(char **(*complete)(const char *, int, int)) {
  rl_attempted_completion_function = complete;
}
static inline void storescope_readline_set_word_breaks(const char *characters) {
  rl_completer_word_break_characters = (char *)characters;
#ifdef RL_VERSION_MAJOR  // It repeats behind a candidate the quote that the word began behind.
  rl_basic_quote_characters = "";
#endif
}
static inline const char *storescope_readline_line(void) { return rl_line_buffer; }
// No names of files where there is no candidate, and behind a single one this character, or none.
static inline void storescope_readline_completes_alone(int appended) {
  rl_attempted_completion_over = 1;
#ifdef RL_VERSION_MAJOR  // Not libedit, which closes no quotes. A candidate brings its own.
  rl_completion_suppress_quote = 1;
#endif
  rl_completion_append_character = appended;
}
static inline int storescope_readline_descriptor(FILE *stream) { return fileno(stream); }

// libedit, which is behind these headers on macOS, calls itself 4.2 and knows none of these.
#if RL_READLINE_VERSION >= 0x0700
// What ends whatever waits for a key, and then the line, without one. A key wouldn't: some prompts ask until they get theirs.
static inline int storescope_readline_no_key(void) { return READERR; }
// Whether the next key is for the line, and not for a prompt of readline's own.
static inline int storescope_readline_edits(void) { return RL_ISSTATE(RL_STATE_READCMD) != 0; }
// Called before each line, once readline has its signal handlers.
static inline void storescope_readline_set_start(int (*start)(void)) { rl_startup_hook = start; }
static inline void storescope_readline_check_signals(void) { rl_check_signals(); }
// Whether a signal came that readline hands on with the next check.
static inline int storescope_readline_has_signal(void) { return rl_pending_signal() != 0; }
// There is no screen before the first line was read.
static inline void storescope_readline_measure_screen(void) { if (rl_instream) rl_reset_screen_size(); }
// COLUMNS and LINES would outlive the next change of the window.
static inline void storescope_readline_keep_environment(void) { rl_change_environment = 0; }
// After a signal the cursor is in the text's last line, and readline takes that for the first: it would go up from there.
static inline void storescope_readline_leave_text(void) {
  rl_crlf();
  rl_on_new_line();
}
static inline int storescope_readline_takes_bytes(void) { return 1; }
#else
// libedit takes what rl_getc_function returns for a whole character: a byte of a longer one would be one of Latin-1.
static inline int storescope_readline_takes_bytes(void) { return 0; }
static inline int storescope_readline_no_key(void) { return EOF; }
static inline int storescope_readline_edits(void) { return 1; }
static inline void storescope_readline_set_start(int (*start)(void)) {}
static inline void storescope_readline_check_signals(void) {}
static inline int storescope_readline_has_signal(void) { return 0; }
static inline void storescope_readline_leave_text(void) {}
static inline void storescope_readline_measure_screen(void) {}
static inline void storescope_readline_keep_environment(void) {}
#endif
