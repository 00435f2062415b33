"""Path-traced pictures of scenes with Blender's Cycles; needs the package `bpy`.

`shapes` and `anatomy` are plain geometry and can be used without it.
"""
