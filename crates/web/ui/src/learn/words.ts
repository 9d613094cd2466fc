/** Words of the Learn room; the rules themselves stand in `texts/`. */
export const en = {
  'learn.title': 'Learn',
  'learn.lead': 'The rules of each game on one page, with boards to try them on.',
  'learn.games': 'Games',
  'learn.on-page': 'On this page',
  'learn.play': 'Play this game',
  'learn.analyse': 'Analyse',
  'learn.again': 'Start again',
  'learn.back': 'Take back',
  'learn.show': 'Show me',
  'learn.done': 'Right! That is it.',
  'learn.wrong': 'Not this one. Take it back and try another.',
  'learn.turn': '{side} to move',
  'learn.board': 'Exercise: {task}',
  'learn.trouble': 'This board cannot be shown: {words}',
  'learn.loading': 'Setting up the board…',
  'learn.lost': 'The rules could not be loaded. Is the program still running?',
};
