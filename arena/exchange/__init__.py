"""Other people's formats: what their columns and labels are called, and what they are here.

Peers' words stay inside this room. It never talks to a model and imports no stage.
"""
