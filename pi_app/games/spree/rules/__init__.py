"""The rules of Spree!"""
