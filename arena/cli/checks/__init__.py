"""The checks of a workspace, a file for each subject; `listed` has them in order."""
